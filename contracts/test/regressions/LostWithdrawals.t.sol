// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {GovernanceSetup} from "../governance/GovernanceSetup.sol";

/// Answers `accounts()` as every contract of a venue does.
contract PartOfVenue {
    IAccounts public accounts;

    constructor(IAccounts accounts_) {
        accounts = accounts_;
    }
}

/// Burns all the gas of a call.
contract Furnace {
    fallback() external {
        while (true) {}
    }
}

/// A withdrawal or transfer to the engine itself, or to another contract of the venue, was
/// executed: the account was debited, and the tokens were lost.
contract LostWithdrawalsTest is GovernanceSetup {
    ILedger[] private _engines;

    function setUp() public override {
        super.setUp();
        usdc.mint(ALICE, 1000e6);
        vm.startPrank(ALICE);
        usdc.approve(address(spot), 1000e6);
        spot.deposit(address(usdc), 1000e6);
        vm.stopPrank();
        _engines.push(ILedger(address(perps)));
        _engines.push(ILedger(address(spot)));
    }

    function test_nothing_is_sent_to_a_contract_of_the_venue() public {
        address[6] memory venue = [
            address(perps),
            address(spot),
            address(accounts),
            address(usdc),
            address(new PartOfVenue(accounts)),
            address(perps)
        ];
        for (uint256 i = 0; i < venue.length; i++) {
            _expectRefused(_engines[0], venue[i]);
            _expectRefused(_engines[1], venue[i]);
        }
        _expectRefused(_engines[0], address(oracle));
    }

    function test_contracts_of_others_are_paid() public {
        address[5] memory others = [
            address(new PartOfVenue(IAccounts(address(1)))),
            address(new Furnace()),
            address(governance),
            address(2), // a precompile that answers 32 bytes
            address(0xDEC0DE)
        ];
        for (uint256 i = 0; i < others.length; i++) {
            for (uint256 j = 0; j < 2; j++) {
                uint256 before = usdc.balanceOf(others[i]);
                vm.prank(ALICE);
                _engines[j].withdraw(address(usdc), 1e6, others[i]);
                vm.assertEq(usdc.balanceOf(others[i]), before + 1e6);
            }
        }
    }

    function _expectRefused(ILedger engine, address to) private {
        bytes[2] memory calls = [
            abi.encodeCall(ILedger.withdraw, (address(usdc), 1e6, to)),
            abi.encodeCall(ILedger.transfer, (address(usdc), to, 1e6))
        ];
        bytes32 refusal = keccak256(abi.encodeWithSignature("RecipientRefused(address)", to));
        for (uint256 i = 0; i < 2; i++) {
            vm.prank(ALICE);
            (bool done, bytes memory reason) = address(engine).call(calls[i]);
            vm.assertFalse(done, "sent to where nobody gets it out");
            vm.assertEq(keccak256(reason), refusal);
        }
    }
}
