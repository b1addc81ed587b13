// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {Funding} from "../../../src/Funding.sol";
import {PerpsState} from "../../../src/PerpsState.sol";
import {Positions} from "../../../src/Positions.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IPerps, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {PerpsDeploy} from "../PerpsDeploy.sol";
import {PerpsHandler} from "./PerpsHandler.sol";

/// After every random call, storage agrees with itself, with the token and with the logs.
contract PerpsInvariantsTest is PerpsDeploy {
    uint40 private constant ACCOUNTS = 7; // insurance, fees and five actors

    IPerps private perps;
    PerpsHandler private handler;
    DevToken private usdc;

    function setUp() external {
        vm.warp(1_750_000_000);
        (address owner, address pusher) = (address(0xA11), address(0xFEED));
        Accounts accounts = Accounts(
            vm.deployCode("out/Accounts.sol/Accounts.json", abi.encode(address(0x1), address(0x2), "openvenue"))
        );
        PushOracle oracle = PushOracle(vm.deployCode("out/PushOracle.sol/PushOracle.json", abi.encode(owner, pusher)));
        usdc = new DevToken("USD Coin", "USDC", 6);
        perps = _deployPerps(accounts, oracle, address(usdc), owner);
        PerpParameters memory parameters = PerpParameters({
            minOrderValue: 10e18,
            maxOrderValue: 100_000e18,
            maxNotionalValue: 150_000e18,
            maxOpenInterest: 60_000,
            maxLeverage: 20,
            makerFee: -50,
            takerFee: 350
        });
        vm.startPrank(owner);
        perps.list("ETH-PERP", "ETH", 1e16, 1e15, 50, parameters);
        perps.list("BTC-PERP", "BTC", 1e17, 1e14, 50, parameters);
        vm.stopPrank();
        handler = new PerpsHandler(accounts, oracle, perps, usdc, owner, pusher);
        handler.start();
        handler.move(10_000, 10_000, 1);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    struct Selectors {
        address target;
        bytes4[] selectors;
    }

    /// Placing and moving prices are listed several times, so that books fill and indexes are fresh.
    function targetSelectors() external view returns (Selectors[] memory targets) {
        bytes4[10] memory others = [
            handler.cancel.selector,
            handler.reduce.selector,
            handler.sweep.selector,
            handler.deposit.selector,
            handler.withdraw.selector,
            handler.transfer.selector,
            handler.setLeverage.selector,
            handler.poke.selector,
            handler.wait_.selector,
            handler.halt.selector
        ];
        targets = new Selectors[](1);
        targets[0] = Selectors(address(handler), new bytes4[](26));
        for (uint256 i = 0; i < 26; i++) {
            targets[0].selectors[i] = i < 10 ? others[i] : i < 21 ? handler.place.selector : handler.move.selector;
        }
    }

    /// One function, so that one campaign serves all the rules.
    function invariant_storage_agrees_with_itself_the_token_and_the_logs() external view {
        _checkAccounts();
        _checkOpenInterest();
        _checkEquity();
        _checkMarks();
    }

    /// The logs alone give every position and all collateral.
    function _checkAccounts() private view {
        for (uint40 account = 1; account <= ACCOUNTS; account++) {
            PerpsState.Holding memory holding = perps.holdingOf(account);
            vm.assertEq(holding.collateral, handler.collateralTold(account), "collateral");
            for (uint32 market = 1; market <= 2; market++) {
                Positions.Position memory position = perps.positionOf(market, account);
                vm.assertEq(
                    keccak256(abi.encode(position)),
                    keccak256(abi.encode(handler.positionTold(market, account))),
                    "position"
                );
                bool isMarked = (holding.markets >> (market - 1)) & 1 == 1;
                vm.assertEq(isMarked, !Positions.isEmpty(position));
            }
        }
    }

    function _checkOpenInterest() private view {
        for (uint32 market = 1; market <= 2; market++) {
            (int256 sum, int256 long) = (0, 0);
            for (uint40 account = 1; account <= ACCOUNTS; account++) {
                Positions.Position memory position = perps.positionOf(market, account);
                sum += position.lots;
                long += Positions.long(position);
                if (position.lots == 0) vm.assertEq(position.quote, int256(0), "no cost without lots");
            }
            (, Funding.Activity memory activity) = perps.fundingOf(market);
            vm.assertEq(sum, int256(0), "lots");
            vm.assertEq(int256(uint256(activity.openInterest)), long, "open interest");
        }
    }

    /// Funding, fees and profits only move money between accounts, to the last unit.
    function _checkEquity() private view {
        int256 sum;
        for (uint40 account = 1; account <= ACCOUNTS; account++) {
            sum += perps.healthOf(account).equity;
        }
        vm.assertEq(sum, int256(usdc.balanceOf(address(perps)) * 1e12), "equity");
    }

    function _checkMarks() private view {
        for (uint32 market = 1; market <= 2; market++) {
            PerpsState.Quote memory quote = perps.quoteOf(market);
            vm.assertLe(quote.mark * 200, quote.index * 201, "above");
            vm.assertGe(quote.mark * 200, quote.index * 199, "below");
        }
    }

    /// At the end of each run: every order told to rest does, and everything can be taken down.
    function afterInvariant() external {
        for (uint32 market = 1; market <= 2; market++) {
            for (uint40 order = 1; order <= handler.ordersTold(market); order++) {
                vm.assertEq(perps.orderAt(market, order).lots, handler.orderTold(market, order).resting, "resting");
                if (perps.orderAt(market, order).lots != 0) handler.cancelOne(market, order);
            }
            for (uint40 account = 1; account <= ACCOUNTS; account++) {
                Positions.Position memory position = perps.positionOf(market, account);
                vm.assertEq(position.bidLots + position.askLots, 0, "resting lots");
            }
        }
    }
}
